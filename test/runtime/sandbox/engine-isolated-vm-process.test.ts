import { engineSuite } from './engine-suite.ts';

engineSuite('isolated-vm', 'process');
