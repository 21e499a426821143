import type { SiteTest } from './site-name.ts';

/** Legal forms, by the languages that have them; a name ends with one, or a comma or an address follows. */
const legalForms = Object.values({
  de: 'gmbh(?:\\s*&\\s*co\\.?\\s*kg)?|mbh|ag|kg|ohg|ug|e\\.\\s?[vkg]\\.?|ev|stiftung|verein|verband',
  en: 'inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|pty|pvt|foundation|trust',
  romance:
    's\\.?\\s?a|s\\.?\\s?l|s\\.?\\s?r\\.?\\s?l|sarl|s\\.?\\s?a\\.?\\s?s|s\\.?\\s?p\\.?\\s?a|s\\.?\\s?l\\.?\\s?u|ltda|eirl',
  dutchAndNordic: 'b\\.?\\s?v|n\\.?\\s?v|vzw|a\\/s|aps|asa|oyj?|hf',
  slavicAndHungarian:
    'sp\\.?\\s?z\\s?o\\.?\\s?o|s\\.?\\s?r\\.?\\s?o|d\\.?\\s?o\\.?\\s?o|kft|zrt|ооо|оао|зао|тов|ип',
  turkish: 'a\\.?ş|şti',
}).join('|');
const legalForm = new RegExp(`(?<=[\\s,])(?:${legalForms})\\.?(?=$|,|\\s\\()`, 'iu');
const legalFormOfCjk = /(?:有限公司|有限责任公司|股份公司|株式会社|合同会社|有限会社|주식회사|㈜|\(주\))/u;

/** Words for those who publish, anywhere in a name. */
const organizationWord =
  /(?<![\p{L}\p{N}])(?:gmbh|inc|ltd|llc|corp|e\.\s?v|verlag|redaktion|redaktionsteam|redakcja|redakce|redacci[oó]n|reda[cç][aã]o|redazione|r[eé]daction|redactie|toimitus|redaksjon(?:en)?|redaktionen|szerkesztőség|редакция|редакція|team|staff|newsroom|editors|editorial|desk|bureau|correspondents?|reporters|agenc(?:y|ies|ia|e|ija)|agentur|agência|associated press|press office|pressestelle|news|media|medien|group|gruppe|university|universität|université|universidad|institute?|association|ministry|ministerium)(?![\p{L}\p{N}])\.?/iu;
const organizationOfCjk =
  /(?:新聞|新闻|日報|日报|晚報|晚报|時報|时报|早報|早报|編輯部|编辑部|編集部|新聞社|通讯社|通訊社|網|网|公司|大学|大學|協会|协会|集团|集團|뉴스|신문|일보|방송|통신)$/u;

/** Whether a name is that of a company, an office or a publisher, by its words. */
export const isOrganizationName = (name: string): boolean =>
  organizationWord.test(name) ||
  legalForm.test(name) ||
  legalFormOfCjk.test(name) ||
  organizationOfCjk.test(name);

/** The name of a host: generic domains, and those of two letters where one label stands before. */
const domainName =
  /^(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.(?:com|net|org|info|biz|edu|gov|eu|online|news|blog|shop|example|xn--[a-z\d]+)$|^(?:www\.)?[\p{L}\d-]{3,}\.[a-z]{2}$/iu;

/** Whether a name is that of a host. */
export const isDomainName = (name: string): boolean => domainName.test(name);

/** Accounts that come with a content management system, or stand for an office. */
const systemAccount =
  /^(?:(?:wp|web|site|super|default|blog|cms|shop|power)[ _-]?(?:admin\w*|user|master|editor)|(?:admin|administrator|editor|user|author|test|webmaster|demo|guest)[ _-]?\d*|press|presse|info|marketing|content|redakti?on|office|support|service|sysadmin|moderator)$/i;

/**
 * Whether an author in meta is nobody who wrote the page. Templates put the company that made the site, its host or the
 * account of who put the page in there, the same in all pages. The site's own name stays, and so do an editorial staff and the
 * handle of a writer: many pages have no other author.
 */
export function isOfTemplate(name: string, site: SiteTest): boolean {
  if (isDomainName(name) || systemAccount.test(name)) return true;
  return !site.likely(name) && (legalForm.test(name) || legalFormOfCjk.test(name));
}
