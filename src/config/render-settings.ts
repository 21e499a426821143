import { z } from 'zod';
import { defineSetting, type SettingValues } from '../setting.ts';

/** The settings of the browser that draws pages, by environment variable. */
export const renderSettings = {
  GLEANER_RENDER: defineSetting(
    '`auto` lets a Chromium of this machine draw pages that have no text without their scripts; it needs the package playwright-core.',
    () => z.enum(['off', 'auto'], 'must be off or auto'),
    'off',
  ),
  GLEANER_CHROMIUM: defineSetting(
    'Path of the Chromium that draws pages. Default: the one that is found.',
    () => z.string().min(1),
  ),
} as const;

export interface RenderConfig {
  /** The browser that draws pages: its path, or else the folders where it is looked for, as in `PATH`; undefined for none. */
  readonly render: { readonly chromium: string | undefined; readonly path: string } | undefined;
}

export function readRender(
  { GLEANER_RENDER, GLEANER_CHROMIUM: chromium }: SettingValues<typeof renderSettings>,
  { PATH: path = '' }: NodeJS.ProcessEnv,
): RenderConfig {
  return { render: GLEANER_RENDER === 'auto' ? { chromium, path } : undefined };
}
