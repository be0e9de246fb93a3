-- The units of the day that is running are counted in the row that holds the limits, beside those of the month, so that
-- a call changes one row instead of two; they move to usage_day with the first call of another day
-- (docs/decisions/0010). A process of an older version goes on counting by usage_day: both add up.
alter table key_product
  -- The UTC day that day_units counts; null before the first unit.
  add column day date,
  add column day_units bigint not null default 0 check (day_units >= 0);

-- Units by UTC day, finished and running; a day may have several rows.
create view usage_by_day as
  select key_id, product, day, units from usage_day
  union all
  select key_id, product, day, day_units from key_product where day_units > 0;
