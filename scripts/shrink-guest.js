// Writes the guest's own code once more with short names and without blanks: it is parsed anew in every guest. Runs after
// the compiler; where its output is missing or stale, the sandbox takes the functions' own text.
import { writeFileSync } from 'node:fs';
import { minifySync } from 'rolldown/utils';
import { GUEST_TEXTS_FILE, guestSources, sourcesDigest } from '../dist/runtime/sandbox/guest/guest-texts.js';

const sources = guestSources();
const texts = {};
for (const [name, source] of sources) {
  // Names only: a rewrite could lean on built-ins that a program is free to replace.
  const { code, errors } = minifySync(`${name}.js`, `export default ${source}`, {
    compress: false,
    mangle: true,
  });
  if (errors.length > 0) throw new Error(`Cannot shrink "${name}": ${errors[0].message}`);
  texts[name] = code.replace(/^export default\s*/, '').replace(/;\s*$/, '');
}
writeFileSync(GUEST_TEXTS_FILE, JSON.stringify({ digest: sourcesDigest(sources), texts }));
