/** Reads whole files as a load does, in any format and without a database. */
import { type Delivery, listLineFiles, readDelivery } from '../../src/load/delivery/delivery.ts';
import {
  type Format,
  type FormatItem,
  isLineFormat,
  isSetFormat,
  type RejectItem,
  type SetItem,
} from '../../src/load/formats/format.ts';
import type { Source } from '../../src/load/sources/source.ts';
import type { Issue } from '../../src/record/document.ts';

export interface WholeDelivery {
  /** Records, or rows of a format of joined tables. */
  records: number;
  rejects: RejectItem[];
  /** For the delivery as a whole. */
  issues: (Issue & { times: number })[];
}

/** Throws what ends the load. Reads on until `itemsMax` records and rejects have come. */
export async function readWhole(
  format: Format,
  sources: readonly Source[],
  options: { register?: string | null; allowEmpty?: boolean; itemsMax?: number } = {},
): Promise<WholeDelivery> {
  const read: WholeDelivery = { records: 0, rejects: [], issues: [] };
  const { register = null, allowEmpty = false, itemsMax = Number.POSITIVE_INFINITY } = options;
  const delivery: Delivery = {
    format,
    sources,
    register,
    allowEmpty,
    noteFrontier: () => {},
    noteIssue: (issue, times) => void read.issues.push({ ...issue, times }),
  };
  for await (const item of listItems(delivery)) {
    if (item.kind === 'reject') read.rejects.push(item);
    else read.records += 1;
    if (read.records + read.rejects.length >= itemsMax) break;
  }
  return read;
}

async function* listItems(delivery: Delivery): AsyncGenerator<FormatItem | SetItem> {
  const { format, register } = delivery;
  if (isLineFormat(format)) {
    for await (const file of listLineFiles(delivery)) {
      if ('reason' in file) yield file;
      else yield* format.read(file, { register });
    }
  } else if (isSetFormat(format)) {
    for await (const items of readDelivery(delivery, (...file) => format.readRows(...file))) {
      yield* 'kind' in items ? [items] : items;
    }
  } else yield* readDelivery(delivery, (...file) => format.read(...file));
}
