import type { Kit } from '../kit.js';

/** How a body ends that returned no value that could leave; one of the two is the empty text. */
export interface Ending {
  /** JSON text of the failure. */
  readonly failure: string;
  readonly note: string;
}

/** Says how a body ends whose value was refused, or that returned nothing and may have forgotten something. */
export function endingPart(kit: Kit): (isRefused: boolean) => Ending {
  return (isRefused) => {
    const { implicit, uncalled } = kit.run;
    if (!isRefused) {
      const note = 'Nothing ran: the program only declares "' + uncalled + '" and never calls it';
      return { failure: '', note: kit.hasPrinted() ? '' : note };
    }
    if (implicit && !kit.refusedSize) {
      return { failure: '', note: 'The value of the last expression was not returned: ' + kit.refusal };
    }
    const kind = kit.refusedSize ? 'output-limit' : 'invalid-output';
    return { failure: '{"kind":"' + kind + '","header":' + kit.stringify(kit.refusal) + '}', note: '' };
  };
}
