import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import type { PublicCall } from '../../src/portal/frame/call.ts';
import {
  areaField,
  buttonsField,
  chipsField,
  fileField,
  hiddenField,
  rowsField,
  sureField,
  textField,
  tickedField,
} from '../../src/portal/frame/field-kinds.ts';
import { declareForm, type Form, renderForm } from '../../src/portal/frame/forms.ts';
import { noteField, stateField } from '../../src/portal/frame/handling-form.ts';

const read = (text: string): string => text;

function callWith(query: string): PublicCall {
  const call: Partial<PublicCall> = {
    csrf: 'c',
    nextFormToken: () => 'o',
    form: new URLSearchParams(),
    query: new URLSearchParams(query),
  };
  return call as PublicCall;
}

const draw = (markup: unknown): string => renderToString(markup as never);

test('a form reads its fields in their order and stops at the first fault', () => {
  const form = declareForm({
    name: textField({ label: 'Name', read: (text) => (text === '' ? { fault: 'A name is missing.' } : text) }),
    sure: sureField('Sure'),
  });
  assert.deepEqual(form.read(new URLSearchParams('')), { fault: 'A name is missing.' });
  assert.deepEqual(form.read(new URLSearchParams('name=x')), { fault: 'Confirm that you mean it.' });
  assert.deepEqual(form.read(new URLSearchParams('name=x&sure=yes')), { name: 'x', sure: true });
});

test('of a form that is refused, confirmations, chosen rows and buttons are not kept', () => {
  const form = declareForm({
    name: textField({ label: 'Name', read }),
    place: hiddenField(false),
    row: rowsField(2),
    do: buttonsField({ done: { label: 'Done' } }),
    sure: sureField('Sure'),
  });
  assert.deepEqual(form.keeps, ['name']);
});

test('a form is sent in parts if a field takes a file or more text than others, with the largest of their bounds', () => {
  const file = declareForm({ file: fileField({ label: 'File' }) });
  const long = declareForm({
    some: areaField({ label: 'Some', read, bytesMax: 10 }),
    more: areaField({ label: 'More', read, bytesMax: 30 }),
    few: areaField({ label: 'Few', read, bytesMax: 20 }),
  });
  const short = declareForm({ note: areaField({ label: 'Note', read }) });
  assert.deepEqual([file.parts, long.parts, short.parts], [{ takesFile: true }, { fieldBytesMax: 30 }, null]);
  const draws = [file, long, short].map((form: Form) =>
    draw(renderForm(callWith(''), form, { action: '/', label: 'Send' })),
  );
  assert.deepEqual(
    draws.map((text) => text.includes('enctype="multipart/form-data"')),
    [true, true, false],
  );
});

test('chosen rows count once, and more than the page has are refused', () => {
  const { read: readRows } = rowsField(2);
  assert.deepEqual(readRows(['a', 'b', 'a']), ['a', 'b']);
  assert.deepEqual(readRows(['a', 'b', 'c']), { fault: 'Choose at most 2 rows.' });
});

test('a button that the form does not have is refused, and another button means what the form says', () => {
  const chosen = buttonsField({ done: { label: 'Done' }, open: { label: 'Open' } });
  assert.equal(chosen.read(['open']), 'open');
  for (const texts of [[], ['other'], ['constructor']]) {
    assert.deepEqual(chosen.read(texts), { fault: 'Choose one of the buttons.' });
  }
  const saved = buttonsField({ preview: { label: 'Preview', isUnchecked: true } }, 'save');
  assert.deepEqual(
    [[], ['save'], ['preview']].map((texts) => saved.read(texts)),
    ['save', 'save', 'preview'],
  );
});

test('a page shows the buttons that it offers, next to its own and the way back', () => {
  const form = declareForm({ do: buttonsField({ done: { label: 'Done' }, open: { label: 'Open' } }) });
  const text = draw(
    renderForm(callWith(''), form, {
      action: '/',
      label: 'Save',
      back: '/portal',
      shown: { do: { offers: ['open'] } },
    }),
  );
  assert.match(text, /name="do" value="open">Open<.*>Save<.*>Cancel</);
  assert.doesNotMatch(text, />Done</);
});

test('chips show what is chosen although it is no longer offered, in texts as addresses have them', () => {
  const form = declareForm({ classes: chipsField({ label: 'Classes', initial: ['9'] }) });
  const choices = [{ value: '9', label: '9' }];
  const show = (query: string) =>
    draw(renderForm(callWith(query), form, { action: '/', label: 'Save', shown: { classes: { choices } } }));
  assert.match(show('classes=35,9'), /value="9" checked.*value="35" checked/);
  assert.match(show(''), /value="9" checked/);
  assert.deepEqual(form.read(new URLSearchParams('classes=35,9&classes=1')), { classes: ['35', '9', '1'] });
});

test('a hidden field repeats all its texts, and a ticked box may be cleared', () => {
  const form = declareForm({ status: hiddenField(), remember: tickedField({ label: 'Next time', text: 'Remember' }) });
  const text = draw(renderForm(callWith('status=live&status=ended'), form, { action: '/', label: 'Save' }));
  assert.match(text, /value="live".*value="ended".*checked/);
  assert.deepEqual(form.read(new URLSearchParams('status=live')), { status: 'live', remember: false });
  assert.deepEqual(form.read(new URLSearchParams('remember=yes')), { status: '', remember: true });
});

test('a note has its length in characters, one kind of line break, and no character that cannot be stored', () => {
  const { read: readNote } = noteField(3);
  assert.deepEqual([readNote([' a\r\nb ']), readNote(['🙂🙂🙂']), readNote(['  '])], ['a\nb', '🙂🙂🙂', null]);
  assert.deepEqual(readNote(['abcd']), { fault: 'A note has at most 3 characters.' });
  assert.deepEqual(readNote(['a\0']), { fault: 'The note has a character that cannot be stored. Type it again.' });
});

test('a state that the form does not have is refused, and a form without one leaves it open', () => {
  const { read: readState } = stateField([{ value: 'done', label: 'Done' }]);
  assert.deepEqual(
    [readState([]), readState(['done']), readState(['x'])],
    ['open', 'done', { fault: 'Choose a state.' }],
  );
});
