/** The search bar understands what was typed, says so, and offers what else it may mean. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createCustomer, joinPortal, storeMark } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

async function startPortal(t: TestContext) {
  const service = await startService(t);
  const customer = await createCustomer(service.db, { quota: 100 });
  const person = await joinPortal(service.url, customer);
  /** A search waits until the index has everything that was published; the bar counts what the index has. */
  const index = () => person.visit('/portal/explorer?status=Pending');
  return { ...service, person, index };
}

const textOf = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');

test('a number in the writing of a person finds the record in the writing of its office', async (t) => {
  const { db, person, index } = await startPortal(t);
  const stored = buildSource({
    jurisdiction_code: 'EM',
    uid: 'EM1',
    application_number: '018229854',
    mark_name: 'One',
  });
  await storeRecords(db, [buildStored(stored, '2026-01-02T03:04:05.000000Z')]);
  await index();
  const typed = await person.visit('/portal/search?q=18%20229%20854');
  assert.equal(typed.status, 303);
  assert.match(typed.to ?? '', /^\/portal\/explorer\?application_number=018229854&q=18\+229\+854$/);
  const page = await person.visit(typed.to ?? '');
  assert.match(textOf(page.text), /Understood as application number 018229854/);
  assert.match(page.text, /Row 1 of 1</);
  assert.match(page.text, /id="q"[^>]* value="18 229 854"/, 'the bar keeps what was typed');
});

test('a name leads to the likeliest meaning with matches, and the others stand beside it with their counts', async (t) => {
  const { db, person, index } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Nélyia', owner_names: ['Acme SA'] });
  await storeMark(db, { uid: 'FR2', mark_name: 'Acme Plus', owner_names: ['Acme SA'] });
  await index();
  const { to } = await person.visit('/portal/search?q=acme');
  assert.match(to ?? '', /mark_name_startswith=acme&jurisdiction=FR&q=acme/);
  const page = await person.visit(to ?? '');
  const readings = textOf(/<p id="readings">(.*?)<\/p>/s.exec(page.text)?.[1] ?? '');
  assert.match(readings, /Understood as mark starts with “acme”. It may also mean: mark contains “acme” 1/);
  assert.match(readings, /owner starts with “acme” 2/);
  assert.doesNotMatch(readings, /representative/);
  const none = await person.visit('/portal/search?q=zzzz');
  assert.match(none.to ?? '', /mark_name=zzzz/);
  assert.match((await person.visit(none.to ?? '')).text, /Nothing matches/);
  assert.equal((await person.visit('/portal/search?q=')).to, '/portal/explorer');
});

test('what is typed is shown as text, whatever it is', async (t) => {
  const { db, person } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'One' });
  for (const attack of ['"><script>alert(1)</script>', "' or 1=1 --", '%00', '../..', '💥 77']) {
    const { status, to } = await person.visit(`/portal/search?q=${encodeURIComponent(attack)}`);
    assert.equal(status, 303);
    const page = await person.visit(to ?? '');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /<script>alert/);
  }
});

test('chosen registers are remembered for the bar and the form', async (t) => {
  const { db, person, index } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Acme' });
  const em = buildSource({ jurisdiction_code: 'EM', uid: 'EM1', mark_name: 'Acme Two' });
  await storeRecords(db, [buildStored(em, '2026-01-02T03:04:06.000000Z')]);
  await index();
  assert.match((await person.visit('/portal/search?q=acme')).to ?? '', /^\/portal\/explorer\?mark_name=acme&q=/);
  await person.visit('/portal/explorer?status=Registered&jurisdiction=EM');
  const { to } = await person.visit('/portal/search?q=acme');
  assert.match(to ?? '', /mark_name_startswith=acme&jurisdiction=EM&q=acme/);
  const form = await person.visit('/portal/explorer');
  assert.match(form.text, /name="jurisdiction" value="EM" checked/);
  assert.doesNotMatch(form.text, /name="jurisdiction" value="FR" checked/);
  await person.visit('/portal/explorer?status=Registered');
  assert.doesNotMatch((await person.visit('/portal/explorer')).text, /name="jurisdiction" value="EM" checked/);
});

test('a refused search is repaired with one click', async (t) => {
  const { db, person } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Acme' });
  const linkIn = (text: string, title: RegExp): string =>
    [...text.matchAll(/<a class="button second" href="([^"]+)">([^<]+)<\/a>/g)]
      .filter(([, , label = '']) => title.test(label))
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))[0] ?? '';
  const broad = await person.visit('/portal/explorer?mark_name_contains=cme');
  assert.match(broad.text, /query_too_broad/);
  const repaired = await person.visit(linkIn(broad.text, /^Search in France$/));
  assert.match(repaired.text, /Row 1 of 1</);
  const short = await person.visit('/portal/explorer?mark_name_startswith=ac&jurisdiction=FR');
  assert.match(short.text, /invalid_parameter/);
  const whole = await person.visit(linkIn(short.text, /^Mark, exact: “ac”$/));
  assert.match(whole.text, /Nothing matches/);
  const vienna = await person.visit('/portal/explorer?vienna_code=5');
  assert.match((await person.visit(linkIn(vienna.text, /^Search in France$/))).text, /Nothing matches|Rows? 1/);
});

test('the filters of a search stand above its results, and a click removes one', async (t) => {
  const { db, person } = await startPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Acme', nice_classes: [9] });
  const page = await person.visit('/portal/explorer?jurisdiction=FR&nice_class=9&sort=application_date');
  const chips = /aria-label="Filters of this search">(.*?)<\/ul>/s.exec(page.text)?.[1] ?? '';
  assert.deepEqual(
    [...chips.matchAll(/<li>(.*?)<\/li>/gs)].map(([, chip = '']) => textOf(chip).trim()),
    ['Remove Register: France ×', 'Remove Nice class, any of: 9 ×'],
  );
  const [, href = ''] = /href="([^"]+)"[^>]*><span class="unseen">Remove <\/span>Nice class/.exec(chips) ?? [];
  const wider = await person.visit(href.replaceAll('&amp;', '&'));
  assert.match(wider.text, /Row 1 of 1</);
  assert.match(href, /sort=application_date/);
});
