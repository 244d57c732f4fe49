import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { type ReactNode, useState } from 'react';
import { t } from '../../texts/texts.js';
import { SelectField } from '../fields.js';
import { FilterIcon } from '../icons.js';
import { useIsPhone } from '../page.js';
import { DayFilter, type FilterInputProps, SearchFilter, TextFilter } from './filter-inputs.js';
import type { FilterField, UrlFilters } from './url-filters.js';

export interface FiltersProps<Name extends string> {
  readonly filters: UrlFilters<Name>;
  /** Shown beside and below the inputs. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
}

/** The filters of a list. Each applies at once and shows as a chip, which removes it. */
export function Filters<Name extends string>({ filters, children, below }: FiltersProps<Name>): ReactNode {
  const { fields, values, isFiltered, apply, clear } = filters;
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const chosen = fields.filter(({ name, kind }) => kind !== 'search' && values[name] !== '');
  const isFolded = isPhone && !isOpen;
  return (
    <Box role="search" aria-label={t('lists.filters.label')} sx={{ display: 'grid', gap: 1.5, mb: 1.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        {fields
          .filter(({ kind }) => !isFolded || kind === 'search')
          .map(({ name, kind, label, options }) => (
            <Box
              key={name}
              sx={kind === 'search' ? { flex: '1 1 200px' } : { flex: '1 1 150px', maxWidth: 220 }}
            >
              <FilterInput
                kind={kind}
                label={label}
                options={options}
                value={values[name]}
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
            {chosen.length > 0 ? t('lists.filters.some', { count: chosen.length }) : t('lists.filters.show')}
          </Button>
        )}
        {!isFolded && children}
      </Box>
      {!isFolded && below}
      {isFiltered && (!isPhone || chosen.length > 0) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}>
          {chosen.map(({ name, label, options }) => {
            const text = `${label}: ${options?.[values[name]] ?? values[name]}`;
            return (
              <Chip
                key={name}
                component="button"
                clickable
                size="small"
                label={`${text} ✕`}
                aria-label={t('lists.filters.remove', { filter: text })}
                onClick={() => apply({ [name]: '' } as Partial<Record<Name, string>>)}
              />
            );
          })}
          <Button size="small" onClick={clear}>
            {t('lists.filters.clear')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

function FilterInput({
  kind,
  options = {},
  ...input
}: FilterInputProps &
  Pick<FilterField<string>, 'kind'> & { options?: FilterField<string>['options'] | undefined }): ReactNode {
  if (kind === 'search') return <SearchFilter {...input} />;
  if (kind === 'text') return <TextFilter {...input} />;
  if (kind === 'day') return <DayFilter {...input} />;
  return <SelectField {...input} options={[['', t('lists.filters.any')], ...Object.entries(options)]} />;
}
