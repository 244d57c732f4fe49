import BackIcon from '@mui/icons-material/ArrowBack';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../texts/texts.js';
import { useListPath } from '../list/use-list-state.js';

/** The way back to the list as it was left. */
export function BackToList(): ReactNode {
  const t = useTexts();
  const [listPath] = useListPath();
  return (
    <Button component={Link} to={listPath} size="small" startIcon={<BackIcon />} sx={{ ml: -0.5, mb: 0.5 }}>
      {t('form.back')}
    </Button>
  );
}
