import type { RankedHead } from '../../index/page-marks.ts';
import type { PageAddress } from '../../text/page-address.ts';

/** What rules use of a page without its text. */
export interface LocatedPage {
  readonly head: RankedHead;
  /** The parts of its URL. */
  readonly address: PageAddress;
}
