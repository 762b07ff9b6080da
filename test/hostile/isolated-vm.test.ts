import { hostileSuite } from './hostile-suite.ts';

hostileSuite('isolated-vm');
