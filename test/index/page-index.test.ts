import { openIndex } from '../../src/index/open-index.ts';
import { silentLog } from '../../src/runtime.ts';
import { describePageIndex } from './page-index-suite.ts';

describePageIndex('live', { open: () => openIndex({ log: silentLog }), isExact: true, runs: 300 });
