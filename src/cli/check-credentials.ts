import type { Config } from '../config/config.ts';

/** Throws a `ServiceError` (`invalid_parameters`) at the start of a service whose credentials cannot be read. */
export async function checkCredentials({ credentials }: Config): Promise<void> {
  if (credentials.file === undefined) return;
  const { readCredentials } = await import('../app/live/credentials-file.ts');
  readCredentials(credentials);
}
