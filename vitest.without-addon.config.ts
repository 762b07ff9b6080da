import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The quick pass for a machine on which isolated-vm could not be built. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/**/*quickjs*.test.ts', 'test/without-addon.test.ts'] },
});
