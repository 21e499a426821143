import { beforeEach, inject } from 'vitest';

// Suites of every back end would pass over the embedded index here.
beforeEach((context) => context.skip(inject('clusterUrls').length === 0));
