import fc from 'fast-check';

// The quick run draws the same samples every time, so that red means a change; the full run draws new ones.
if (!process.env['PTC_FULL']) fc.configureGlobal({ seed: 20_261_129 });
