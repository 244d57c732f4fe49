import { momentText } from '../shell/moment.js';
import { t } from '../texts/texts.js';
import type { Selection } from './export-posts.js';

/** Says which posts a selection has. */
export function textOfSelection(selection: Selection): string {
  const { search, title, pub_date_after, pub_date_before, id } = selection;
  const parts = [
    search !== undefined && t('exporting.parts.search', { value: search }),
    title !== undefined && t('exporting.parts.title', { value: title }),
    pub_date_after !== undefined && t('exporting.parts.pub_date_after', { value: dateText(pub_date_after) }),
    pub_date_before !== undefined &&
      t('exporting.parts.pub_date_before', { value: dateText(pub_date_before) }),
    id !== undefined && t('exporting.parts.id', { smart_count: id.split(',').length }),
  ];
  return parts.filter((part) => part !== false).join(', ') || t('exporting.all');
}

/** A day is a day; a moment is shown in the time of who looks. */
function dateText(date: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  return Number.isNaN(Date.parse(date)) ? date : momentText(date);
}
