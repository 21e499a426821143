import { existsSync } from 'node:fs';
import type { ClusterConfig } from '../../config/cluster-settings.ts';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { storePath } from '../../store/lmdb-store.ts';

/**
 * The cluster of which a service is a front end: with an index in a cluster and no data folder, named or there. Undefined for
 * any other service. Throws `invalid_parameters` for settings that a front end cannot have.
 */
export function clusterOfFrontEnd(config: Config): ClusterConfig | undefined {
  const { cluster, dataFolder, isDataFolderNamed, workers } = config;
  if (!cluster || isDataFolderNamed || existsSync(storePath(dataFolder))) return undefined;
  if (workers > 1)
    throw new ServiceError(
      'invalid_parameters',
      'GLEANER_WORKERS: a service without a data folder is one process; start several of it',
    );
  return cluster;
}
