import { sandboxSuite } from './sandbox-suite.ts';

sandboxSuite('quickjs');
