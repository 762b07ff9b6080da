import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The quick pass for a machine on which isolated-vm could not be built. */
export default mergeConfig(
  base,
  defineConfig({ test: { include: ['test/**/*quickjs*.test.ts', 'test/without-addon.test.ts'] } }),
);
