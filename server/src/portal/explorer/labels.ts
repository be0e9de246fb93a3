/** The names of filters as people read them. */

const LABELS: Readonly<Record<string, string>> = {
  jurisdiction: 'Register',
  mark_name: 'Mark, exact',
  mark_name_contains: 'Mark contains',
  mark_name_startswith: 'Mark starts with',
  owner_name: 'Owner, exact',
  owner_name_contains: 'Owner contains',
  owner_name_startswith: 'Owner starts with',
  representative_name: 'Representative, exact',
  representative_name_contains: 'Representative contains',
  representative_name_startswith: 'Representative starts with',
  nice_class: 'Nice class, any of',
  nice_class_all: 'Nice class, all of',
};

export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
