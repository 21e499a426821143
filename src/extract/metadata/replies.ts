import { type Element, hasAncestor } from '../main-text/tree.ts';

const reply = /schema\.org\/(?:Comment|Answer|Review|UserComments)\b/;

/** Whether an element is an answer, a comment or a review by its microdata: its author and its day are not the page's. */
export const isReply = ({ attributes }: Element): boolean =>
  attributes.itemtype !== undefined && reply.test(attributes.itemtype);

/** Whether it or what it is in is one. */
export const isOfReply = (element: Element): boolean => hasAncestor(element, isReply);
