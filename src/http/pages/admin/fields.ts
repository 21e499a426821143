import { z } from 'zod';

/** A text that a command could not take for an option. */
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine((value) => !value.startsWith('-'), 'must not begin with -');

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,7}$/, message)
    .refine((value) => Number(value) >= min && Number(value) <= max, message);
};

const webUrl = text(2048).refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'must be an http or https address, such as https://docs.example.com/',
);

/** Globs, one a line. */
const globs = z
  .string()
  .max(4000, 'must have at most 4000 characters')
  .transform((value) => value.split(/\s+/).filter((glob) => glob !== ''))
  .refine((list) => list.length <= 50, 'must be at most 50 patterns')
  .refine((list) => list.every((glob) => !glob.startsWith('-')), 'must not begin with -');

export const CrawlForm = z.object({
  url: webUrl,
  max_pages: wholeNumber(1, 1_000_000).optional(),
  same_path: z.literal('1').optional(),
  include: globs.optional(),
  exclude: globs.optional(),
  delay: wholeNumber(1, 600).optional(),
});

export const RecrawlForm = z.object({ site: text(2048).optional() });

/** The largest upload, in bytes. */
export const maxUploadBytes = 64 * 1024 * 1024;

export const ImportForm = z.object({ base_url: webUrl.optional() });

export const RemoveForm = z.object({ target: text(2048) });

export const KeyForm = z.object({
  name: text(64),
  per_minute: wholeNumber(1, 1_000_000).optional(),
  expires: text(32).optional(),
  admin: z.literal('1').optional(),
});

/** The largest text of rules, in characters. */
const maxRulesLength = 200_000;

export const RulesForm = z.object({ rules: z.string().max(maxRulesLength).default('') });

export const RevokeForm = z.object({ id: text(64) });

export const EnterForm = z.object({ key: z.string().trim().max(200) });

/** The arguments of `gleaner crawl` for a form, without what the page adds. */
export function crawlArguments(form: z.output<typeof CrawlForm>): string[] {
  const { url, max_pages, same_path, include = [], exclude = [], delay } = form;
  return [
    'crawl',
    url,
    ...(max_pages === undefined ? [] : ['--max-pages', max_pages]),
    ...(same_path === undefined ? [] : ['--same-path']),
    ...include.flatMap((glob) => ['--include', glob]),
    ...exclude.flatMap((glob) => ['--exclude', glob]),
    ...(delay === undefined ? [] : ['--delay', delay]),
  ];
}
