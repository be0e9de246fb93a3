/**
 * The targets of every page's navigation: for the people of a customer, for operators, and for operators who view one.
 */
import type { PortalSession } from '../../store/accounts/portal.ts';
import type { Page, Section } from './call.ts';

interface Entry {
  readonly section: Section;
  readonly href: string;
  readonly label: string;
  /** An operator who views the customer may see it. */
  readonly viewable?: boolean;
}

const OF_CUSTOMERS: readonly Entry[] = [
  { section: 'explorer', href: '/portal/explorer', label: 'Explorer' },
  { section: 'feed', href: '/portal/feed', label: 'Changes' },
  { section: 'watches', href: '/portal/watches', label: 'Watches' },
  { section: 'reconcile', href: '/portal/reconcile', label: 'Check my portfolio' },
  { section: 'monitoring', href: '/portal/monitoring', label: 'Monitoring', viewable: true },
  { section: 'keys', href: '/portal/keys', label: 'Keys', viewable: true },
  { section: 'webhooks', href: '/portal/webhooks', label: 'Webhooks', viewable: true },
  { section: 'team', href: '/portal/team', label: 'Team', viewable: true },
  { section: 'api', href: '/portal/api', label: 'API' },
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
  if (!person.is_operator) return OF_CUSTOMERS;
  const isOperatorPage =
    section === undefined || ['account', 'api'].includes(section) || section.startsWith('operator');
  return user === null || isOperatorPage ? OF_OPERATORS : OF_CUSTOMERS.filter(({ viewable }) => viewable === true);
}
