import { sandboxSuite } from './sandbox-suite.ts';

sandboxSuite('isolated-vm');
