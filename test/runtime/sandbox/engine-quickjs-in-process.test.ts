import { engineSuite } from './engine-suite.ts';

engineSuite('quickjs', 'in-process');
