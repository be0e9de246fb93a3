/**
 * The targets of every page's navigation: for the people of a customer, for operators, and for operators who view one.
 */
import type { PortalSession } from '../../store/accounts/portal.ts';
import type { Area, Page, Section } from './call.ts';
import { mayOpen } from './roles.ts';

interface Entry {
  readonly section: Section;
  readonly href: string;
  readonly label: string;
  /** The first of a group. */
  readonly isApart?: boolean;
  /** What a role has to open, for people of a customer. */
  readonly area?: Area;
  /** An operator who views the customer may see it. */
  readonly viewable?: boolean;
}

/** For those who look after marks, for those who write programs, and for those who look after the team. */
const OF_CUSTOMERS: readonly (Entry & { readonly area: Area })[] = [
  { section: 'explorer', href: '/portal/explorer', label: 'Search', area: 'search' },
  { section: 'watches', href: '/portal/watches', label: 'Watches', area: 'watches' },
  { section: 'reconcile', href: '/portal/reconcile', label: 'Dockets', area: 'dockets' },
  { section: 'keys', href: '/portal/keys', label: 'Keys', area: 'keys', isApart: true, viewable: true },
  { section: 'webhooks', href: '/portal/webhooks', label: 'Webhooks', area: 'webhooks', viewable: true },
  { section: 'usage', href: '/portal/usage', label: 'Usage', area: 'usage', viewable: true },
  { section: 'api', href: '/portal/api', label: 'API', area: 'api' },
  { section: 'team', href: '/portal/team', label: 'Team', area: 'team', isApart: true, viewable: true },
];

const OF_OPERATORS: readonly Entry[] = [
  { section: 'operator', href: '/portal/operator', label: 'Overview' },
  { section: 'operator/customers', href: '/portal/operator/customers', label: 'Customers' },
  { section: 'operator/keys', href: '/portal/operator/keys', label: 'Keys' },
  { section: 'operator/usage', href: '/portal/operator/usage', label: 'Usage' },
  { section: 'operator/registers', href: '/portal/operator/registers', label: 'Registers' },
  { section: 'operator/sources', href: '/portal/operator/sources', label: 'Sources' },
  { section: 'operator/loads', href: '/portal/operator/loads', label: 'Loads' },
  { section: 'operator/audit', href: '/portal/operator/audit', label: 'Audit' },
  { section: 'operator/doctor', href: '/portal/operator/doctor', label: 'Doctor' },
];

/**
 * An operator who views a customer has the customer's entries on the customer's pages, and the operators' elsewhere.
 */
export function listEntries({ person, user }: PortalSession, { section }: Page): readonly Entry[] {
  if (!person.is_operator) return OF_CUSTOMERS.filter(({ area }) => mayOpen(person, area));
  const isOperatorPage =
    section === undefined || ['account', 'api'].includes(section) || section.startsWith('operator');
  return user === null || isOperatorPage ? OF_OPERATORS : OF_CUSTOMERS.filter(({ viewable }) => viewable === true);
}
