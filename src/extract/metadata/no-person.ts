import { isPersonName, isSystemAccount } from './person-names.ts';
import type { SiteTest } from './site-name.ts';

/** Legal forms, by the languages that have them; a name ends with one, or a comma or a bracket follows. */
const legalForms = Object.values({
  de: 'gmbh(?:\\s*&\\s*co\\.?\\s*kg)?|mbh|ohg|stiftung|verein|verband',
  en: 'inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|(?:&|and)\\s+co|company|pty|pvt|foundation',
  romance:
    's\\.\\s?a|s\\.\\s?l|s\\.\\s?r\\.\\s?l|sarl|s\\.\\s?a\\.\\s?s|s\\.\\s?p\\.\\s?a|s\\.\\s?l\\.\\s?u|ltda|eirl',
  dutchAndNordic: 'b\\.\\s?v|n\\.\\s?v|vzw|a\\/s|aps|asa|oyj?',
  slavicAndHungarian: 'sp\\.?\\s?z\\s?o\\.?\\s?o|s\\.\\s?r\\.\\s?o|d\\.\\s?o\\.\\s?o|kft|zrt|ооо|оао|зао',
  turkish: 'a\\.\\s?ş|şti',
}).join('|');
/** Those that are names of people, too, where they are not written like this. */
const shortForms = '[eE]\\.?\\s?[VKG]|AG|KG|UG|Co\\.|SA|SL|SRL|Srl|SAS|SpA|SLU|BV|NV|sro|doo|AŞ|ТОВ|ИП';
const atEnd = '(?=\\.?(?:$|,|\\s\\())';
const legalForm = new RegExp(`(?<=[\\s,])(?:${legalForms})${atEnd}`, 'iu');
const shortLegalForm = new RegExp(`(?<=[\\s,])(?:${shortForms})${atEnd}`, 'u');
const legalFormOfCjk = /(?:有限公司|有限责任公司|股份公司|株式会社|合同会社|有限会社|주식회사|㈜|\(주\))/u;

/**
 * A name with one of these words is that of an organization. `person-names.ts` has another list, of the words that no
 * person's name has: roles and labels are among them.
 */
const organizationWords = Object.values({
  legalForms: 'gmbh|inc|ltd|llc|corp|e\\.\\s?v',
  editorialStaff:
    'redaktion|redaktionsteam|redaktionen|redakcja|redakce|redacci[oó]n|reda[cç][aã]o|redazione|r[eé]daction|redactie|toimitus|redaksjon(?:en)?|szerkesztőség|редакция|редакція|team|staff|newsroom|editors|editorial|desk|bureau|correspondents?|reporters|press office|pressestelle',
  publishers:
    'verlag|agenc(?:y|ies|ia|e|ija)|agentur|agência|associated press|news|media|medien|group|gruppe',
  institutions: 'university|universität|université|universidad|institute?|association|ministry|ministerium',
}).join('|');
const organizationWord = new RegExp(`(?<![\\p{L}\\p{N}])(?:${organizationWords})(?![\\p{L}\\p{N}])`, 'iu');
const organizationOfCjk =
  /(?:新聞|新闻|日報|日报|晚報|晚报|時報|时报|早報|早报|編輯部|编辑部|編集部|新聞社|通讯社|通訊社|網|网|公司|大学|大學|協会|协会|集团|集團|뉴스|신문|일보|방송|통신)$/u;

/** Whether a name is that of a company, an office or a publisher, by its words. */
export const isOrganizationName = (name: string): boolean =>
  organizationWord.test(name) || hasLegalForm(name) || organizationOfCjk.test(name);

function hasLegalForm(name: string): boolean {
  return legalForm.test(name) || shortLegalForm.test(name) || legalFormOfCjk.test(name);
}

/** The name of a host: generic domains, and those of two letters where one label stands before. */
const domainName =
  /^(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.(?:com|net|org|info|biz|edu|gov|eu|online|news|blog|shop|example|xn--[a-z\d]+)$|^(?:www\.)?[\p{L}\d-]{3,}\.[a-z]{2}$/iu;

/** Whether a name is that of a host. */
export const isDomainName = (name: string): boolean => domainName.test(name);

/** Offices, and numbered accounts, which elsewhere may be those of writers. */
const office =
  /^(?:press|presse|info|marketing|content|redakti?on|office|support|service|(?:admin|administrator|editor|user|author|test|webmaster|demo|guest)[ _-]?\d+)$/i;

/**
 * The names in meta of people who may have written the page. Templates put the company that made the site, its host or an
 * office there, the same in all pages. Beside a company only the names of people stay. The site's own name stays, and so
 * do an editorial staff and the handle of a writer: many pages have no other author.
 */
export function withoutTemplates(names: readonly string[], site: SiteTest): readonly string[] {
  const isOfTemplate = (name: string) =>
    isDomainName(name) ||
    isSystemAccount(name) ||
    office.test(name) ||
    (hasLegalForm(name) && !site.likely(name));
  const others = names.filter((name) => !isOfTemplate(name));
  if (others.length < names.length) return others.filter(isPersonName);
  // A comma may stand before the legal form.
  return isOfTemplate(names.join(', ')) ? [] : names;
}
