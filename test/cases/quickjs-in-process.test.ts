import { caseSuite } from './case-suite.ts';

// What a program can do to a host that shares its process is not promised for the kind `limits`.
caseSuite({ engine: 'quickjs', placement: 'in-process' }, (kind) => kind !== 'limits');
