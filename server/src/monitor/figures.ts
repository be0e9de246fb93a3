/** Exposes figures that are read on demand, from a table with the name and the origin of each. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** A value with its labels. A value that is null is left out. */
export type LabelledValue = readonly [labels: Readonly<Record<string, string>>, value: number | null];

export interface Figure<Source> {
  /** A counter ends with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly list: (source: Source) => readonly LabelledValue[];
}

/** @param read the source at this moment; null = none of the figures is known */
export function exposeFigures<Source>(
  registry: Registry,
  figures: readonly Figure<Source>[],
  read: () => Source | null,
): void {
  for (const { name, help, labelNames = [], list } of figures) {
    const collect = (): void => {
      metric.reset();
      // A reset sets a metric without labels to 0, which would be reported as its value.
      if (labelNames.length === 0) metric.remove();
      const source = read();
      if (source === null) return;
      for (const [labels, value] of list(source)) if (value !== null) metric.inc(labels, value);
    };
    const options = { name, help, labelNames, registers: [registry], collect };
    const metric: Counter | Gauge = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
  }
}
