import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    setupFiles: ['test/setup.ts'],
    // A machine that starves a process once is no finding; a test that fails twice is.
    retry: process.env.CI ? 1 : 0,
    execArgv: ['--no-node-snapshot'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What is waited for comes; how soon says how loaded the machine is.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    reporters: ['default', './scripts/plain-reporter.js'],
  },
});
