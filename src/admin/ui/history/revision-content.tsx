import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { FIELDS } from '../api/posts.js';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import type { WholeRevision } from './revision.js';

/** More is shown when it is asked for: a body may have any length. */
const SHOWN_CHARACTERS = 20_000;

/** A version of a post as a whole, as text. */
export function RevisionContent({ revision }: { revision: WholeRevision }): ReactNode {
  return (
    <Stack sx={{ gap: 2 }}>
      {FIELDS.map((field) => (
        <Field key={field} label={t(`fields.name.${field}`)} text={revision[field]} />
      ))}
    </Stack>
  );
}

function Field({ label, text }: { label: string; text: string }): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const isCut = !showsAll && text.length > SHOWN_CHARACTERS;
  return (
    <div>
      <Typography variant="h3" sx={{ mb: 0.75 }}>
        {label}
      </Typography>
      {text === '' ? (
        <Typography sx={{ color: 'text.secondary' }}>{t('history.emptyText')}</Typography>
      ) : (
        <Box
          dir="auto"
          sx={{
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            border: 1,
            borderColor: 'divider',
            borderRadius: 2,
            px: 1.5,
            py: 1,
            backgroundColor: 'background.paper',
          }}
        >
          {isCut ? text.slice(0, SHOWN_CHARACTERS) : text}
        </Box>
      )}
      {isCut && (
        <Button variant="outlined" onClick={() => setShowsAll(true)} sx={{ mt: 2 }}>
          {t('history.showAll', { count: numberText(text.length) })}
        </Button>
      )}
    </div>
  );
}
