import { homedir } from 'node:os';
import { join } from 'node:path';

/** XDG Base Directory on Linux and its like, Application Support on macOS, %LOCALAPPDATA% on Windows. */
export function platformDataFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  switch (platform) {
    case 'win32':
      return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'gleaner');
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'gleaner');
    default:
      return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'gleaner');
  }
}
