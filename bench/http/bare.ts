import { Hono } from 'hono';
import { listen } from './listen.ts';

const body = JSON.parse(process.env.BODY ?? '{}') as object;
listen(new Hono().get('*', (c) => c.json(body)));
