/** The field for the name of a person. */
import { renderField } from '../frame/fields.ts';
import { PERSON_NAME_MAX } from '../frame/roles.ts';

export function renderNameField(name: string): unknown {
  return renderField({
    id: 'name',
    label: 'Your name',
    hint: 'How colleagues see you, instead of your address.',
    attributes: { autocomplete: 'name', maxlength: PERSON_NAME_MAX, value: name },
  });
}
