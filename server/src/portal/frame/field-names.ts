/** The fields of a record as every page names them. Columns of tables shorten them; filters say how they compare. */

const TITLES: Readonly<Record<string, string>> = {
  mark_name: 'Mark',
  tm5_status: 'Status in the office’s words',
  owner_names: 'Owners',
  owner_countries: 'Owners’ countries',
  representative_names: 'Representatives',
  international_registration_numbers: 'International registration',
  priority_numbers: 'Priority',
  external_update_date: 'Changed by the office on',
};

export function titleOfField(field: string): string {
  return TITLES[field] ?? wordsOf(field);
}

/** A name as the beginning of a sentence. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
