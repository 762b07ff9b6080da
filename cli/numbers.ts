import { InvalidArgumentError } from 'commander';

/**
 * Makes a parser of a command-line number.
 *
 * @param unit - named in the message
 * @param isInteger - whether fractions are refused
 * @throws {InvalidArgumentError} from the parser, naming the wanted form and the text received
 * @example
 * new Option('--wall-ms <ms>').argParser(positiveNumber('milliseconds'));
 */
export function positiveNumber(unit: string, isInteger = true): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    const isWanted = Number.isFinite(number) && number > 0 && (!isInteger || Number.isInteger(number));
    if (!isWanted) {
      throw new InvalidArgumentError(
        `wanted a positive ${isInteger ? 'whole ' : ''}number of ${unit}, received "${text}"`,
      );
    }
    return number;
  };
}

/**
 * Parses a port of the command line; 0 is any free one.
 *
 * @throws {InvalidArgumentError} naming the wanted form and the text received
 * @example
 * new Option('--http <port>').argParser(portNumber);
 */
export function portNumber(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError(`wanted a port from 0 to 65535, received "${text}"`);
}
