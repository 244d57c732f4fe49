import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { type ReactNode, useState } from 'react';
import { isolated } from '../../texts/texts.js';
import { SelectField } from '../fields.js';
import { FilterIcon } from '../icons.js';
import { useIsPhone } from '../page.js';
import { DayFilter, type FilterInputProps, SearchFilter, TextFilter } from './filter-inputs.js';
import type { FilterField, UrlFilters } from './url-filters.js';

/** So that the seven filters of the change log are one row of a window of 1,280 px. */
const WIDTHS = { search: 200, day: 150, text: 110, choice: 110 } as const;

export interface FiltersProps<Name extends string> {
  readonly filters: UrlFilters<Name>;
  /** What the service refuses, by filter. */
  readonly faults?: Partial<Record<Name, string>>;
  /** Shown beside and below the inputs. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
}

/** The filters of a list. Each applies at once. On a phone they are folded, and those that apply are chips. */
export function Filters<Name extends string>({
  filters,
  faults = {},
  children,
  below,
}: FiltersProps<Name>): ReactNode {
  const { fields, values, isFiltered, apply, clear } = filters;
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const chosen = fields.filter(({ name, kind }) => kind !== 'search' && values[name] !== '');
  const isFolded = isPhone && !isOpen;
  return (
    <Box role="search" aria-label="Search and filter" sx={{ display: 'grid', gap: 1.5, mb: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        {fields
          .filter(({ kind }) => !isFolded || kind === 'search')
          .map(({ name, kind, label, options }) => (
            <Box
              key={name}
              sx={{ flex: `1 1 ${WIDTHS[kind]}px`, ...(kind !== 'search' && { maxWidth: 220 }) }}
            >
              <FilterInput
                kind={kind}
                label={label}
                options={options}
                value={values[name]}
                fault={faults[name]}
                onChange={(value) => apply({ [name]: value } as Partial<Record<Name, string>>)}
              />
            </Box>
          ))}
        {isPhone && fields.length > 1 && (
          <Button
            variant="outlined"
            startIcon={<FilterIcon />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            sx={{ height: 40, flexShrink: 0 }}
          >
            {chosen.length > 0 ? `Filters (${chosen.length})` : 'Filters'}
          </Button>
        )}
        {!isFolded && children}
        {isFiltered && !isFolded && <Button onClick={clear}>Clear filters</Button>}
      </Box>
      {!isFolded && below}
      {isFolded && chosen.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}>
          {chosen.map(({ name, label, options }) => {
            const text = `${label}: ${options?.[values[name]] ?? isolated(values[name])}`;
            return (
              <Chip
                key={name}
                component="button"
                clickable
                size="small"
                label={`${text} ✕`}
                aria-label={`Remove the filter ${text}`}
                onClick={() => apply({ [name]: '' } as Partial<Record<Name, string>>)}
              />
            );
          })}
        </Box>
      )}
    </Box>
  );
}

function FilterInput({
  kind,
  options = {},
  fault,
  ...input
}: FilterInputProps &
  Pick<FilterField<string>, 'kind'> & { options?: FilterField<string>['options'] | undefined }): ReactNode {
  if (kind === 'search') return <SearchFilter {...input} fault={fault} />;
  if (kind === 'text') return <TextFilter {...input} fault={fault} />;
  if (kind === 'day') return <DayFilter {...input} fault={fault} />;
  return <SelectField {...input} options={[['', 'Any'], ...Object.entries(options)]} />;
}
