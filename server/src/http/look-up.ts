/** The endpoint of the look-up of a record. */
import { withLimits } from '../database/driver/db.ts';
import { parseRegister } from '../parse/values.ts';
import { renderTagged } from '../render/answer.ts';
import { missingRecord } from '../store/records/registers.ts';
import { defineEndpoint } from './endpoint.ts';

export const lookupEndpoint = defineEndpoint({
  name: 'lookup',
  parse: ({ values, path }) => ({
    // As `parseRegister` returns it (rule I-11).
    register: parseRegister(path.register),
    uid: path.uid,
    expandPayload: values.expand === 'payload',
  }),
  covers: ({ register }) => [register],
  read: async ({ register, uid, expandPayload }, { database, records }, call) => {
    const record = await records.find(register, uid, expandPayload, call);
    if (record === null) throw await missingRecord(withLimits(database, { signal: call.signal }), register);
    return record;
  },
  render: (record) => renderTagged(record),
});
