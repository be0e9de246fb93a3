/** Runs work on many items, a bounded number at a time. */

/** Starts nothing new after a failure, and rejects with it once all started work has ended. */
export async function runAtOnce<Item>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item, position: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed: { readonly error: unknown } | null = null;
  const workers = Array.from({ length: Math.min(atOnceMax, items.length) }, async () => {
    while (failed === null && next < items.length) {
      const position = next;
      next += 1;
      try {
        await work(items[position]!, position);
      } catch (error) {
        failed ??= { error };
      }
    }
  });
  await Promise.all(workers);
  if (failed !== null) throw (failed as { readonly error: unknown }).error;
}
