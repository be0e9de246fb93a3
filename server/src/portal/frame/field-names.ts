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
  const words = field.replaceAll('_', ' ');
  return TITLES[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
