/** Usage of all customers in one month: by day, by customer, and as a file. */

import { encodeRow } from '@tmds/contract/csv';
import { PRODUCTS, type Product } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import { OPERATOR_PAGE } from '../../store/accounts/operator-customers.ts';
import {
  listAllDayUnits,
  listCustomerUnits,
  readKeyUsage,
  type UsageScope,
} from '../../store/accounts/operator-usage.ts';
import { findMonths } from '../../store/accounts/portal-reports.ts';
import type { Download, Page, PortalRoute, SignedInCall } from '../frame/call.ts';
import { renderHeading } from '../frame/components.ts';
import { buildOperatorRoutes } from '../frame/page-routes.ts';
import { cutPage, linkTo, renderFurther } from '../frame/paging.ts';
import { formatCount, formatMonth } from '../frame/pieces.ts';
import { renderListing } from '../frame/table.ts';
import { listMonths, renderUnits } from '../monitoring/report.ts';
import type { PortalServices } from '../services.ts';
import { nameMonths, readChoice, readText, renderFilter } from './listing.ts';

export function listUsageRoutes(services: PortalServices): PortalRoute[] {
  const { show } = buildOperatorRoutes(services);
  return [show('/usage', showUsage), show('/usage.csv', downloadUsage)];
}

interface Choice extends UsageScope {
  readonly months: readonly string[];
  readonly today: string;
}

async function readScope({ query }: SignedInCall, { database }: PortalServices): Promise<Choice> {
  const { current, today } = await findMonths(database);
  const months = listMonths(current);
  const month = readChoice(query, 'month', months) ?? current;
  return { months, today, month, product: readChoice<Product>(query, 'product', PRODUCTS) };
}

async function showUsage(call: SignedInCall, services: PortalServices): Promise<Page> {
  const scope = await readScope(call, services);
  const after = readText(call.query, 'after');
  const [days, found] = await Promise.all([
    listAllDayUnits(services.database, scope),
    listCustomerUnits(services.database, scope, after),
  ]);
  const { months, month, product } = scope;
  const { rows, further } = cutPage(found, OPERATOR_PAGE, (last) =>
    linkTo('/portal/operator/usage', { month, product, after: last.customer }),
  );
  const body = html`
    ${renderHeading('Usage')}
    ${renderFilter('/portal/operator/usage', [
      { id: 'month', label: 'Month', choices: nameMonths(months), chosen: month },
      { id: 'product', label: 'Product', any: 'All products', choices: PRODUCTS, chosen: product },
    ])}
    ${renderUnits(
      { ...scope, days },
      {
        href: linkTo('/portal/operator/usage.csv', { month, product }),
        label: 'By customer, key and day as CSV',
      },
    )}
    <section>
      <h2>By customer</h2>
      ${renderListing({
        label: 'Customers',
        rows,
        empty: `No customer used a unit in ${formatMonth(month)}.`,
        columns: [
          {
            label: 'Customer',
            cell: ({ customer_id, customer }) => html`
              <a href=${linkTo(`/portal/operator/customers/${customer_id}`, { month })}><bdi>${customer}</bdi></a>
            `,
          },
          { label: 'Units', cell: ({ units }) => formatCount(units), style: 'number' },
        ],
      })}
      ${renderFurther(further, 'Next page')}
    </section>
  `;
  return { title: 'Operator: usage', body, section: 'operator/usage' };
}

const HEADER = ['day', 'customer', 'key_id', 'key_name', 'product', 'units'];

async function downloadUsage(call: SignedInCall, services: PortalServices): Promise<Download> {
  const scope = await readScope(call, services);
  const { month, product } = scope;
  async function* write(): AsyncGenerator<string> {
    yield encodeRow(HEADER);
    for await (const lines of readKeyUsage(services.database, scope)) {
      const rows = lines.map(({ day, customer, key_id, key_name, product: sold, units }) =>
        encodeRow([day, customer, key_id, key_name ?? '', sold, String(units)]),
      );
      if (rows.length > 0) yield rows.join('');
    }
  }
  const name = product === null ? `usage-${month}` : `usage-${month}-${product}`;
  return { download: `${name}.csv`, type: 'text/csv; charset=utf-8', chunks: write() };
}
