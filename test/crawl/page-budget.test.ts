import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPageBudget } from '../../src/crawl/page-budget.ts';

test('exactly the maximum number of pages counts', async () => {
  const budget = createPageBudget(2);
  expect(await budget.reserve()).toBe(true);
  budget.settle(true);
  expect(await budget.reserve()).toBe(true);
  budget.settle(false);
  expect(await budget.reserve()).toBe(true);
  budget.settle(true);
  expect(await budget.reserve()).toBe(false);
});

test('a reservation while the last page is under way waits for its result', async () => {
  const budget = createPageBudget(1);
  await budget.reserve();
  const answers: boolean[] = [];
  const others = [1, 2].map(() => budget.reserve().then((answer) => answers.push(answer)));
  await nextTurn();
  expect(answers).toEqual([]);
  budget.settle(false);
  await nextTurn();
  expect(answers).toEqual([true]);
  budget.settle(true);
  await Promise.all(others);
  expect(answers).toEqual([true, false]);
});

test('pages of the run that is carried on count', async () => {
  expect(await createPageBudget(5, 5).reserve()).toBe(false);
});
