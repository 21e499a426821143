/** The result of `work`, or undefined when it takes longer than `ms` or fails. `work` itself is not stopped. */
export function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    work.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}
