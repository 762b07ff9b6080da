import { caseSuite } from './case-suite.ts';

caseSuite({ engine: 'isolated-vm' });
