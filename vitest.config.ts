import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    execArgv: ['--no-node-snapshot'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default', './scripts/plain-reporter.js'],
  },
});
