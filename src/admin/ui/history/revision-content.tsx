import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { numberText } from '../texts/numbers.js';
import { t } from '../texts/texts.js';
import type { WholeRevision } from './revision.js';

/** More is shown when it is asked for: a body may have any length. */
const SHOWN_CHARACTERS = 20_000;

/** A version of a post as a whole, as text. */
export function RevisionContent({
  revision: { title, pub_date, body },
}: {
  revision: WholeRevision;
}): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const isCut = !showsAll && body.length > SHOWN_CHARACTERS;
  return (
    <Stack sx={{ gap: 2 }}>
      <Field label={t('history.fieldTitle')} text={title} />
      <Field label={t('history.fieldDate')} text={pub_date} />
      <Field label={t('history.fieldBody')} text={isCut ? body.slice(0, SHOWN_CHARACTERS) : body} />
      {isCut && (
        <Button
          variant="outlined"
          onClick={() => setShowsAll(true)}
          sx={{ justifySelf: 'start', alignSelf: 'start' }}
        >
          {t('history.showAll', { count: numberText(body.length) })}
        </Button>
      )}
    </Stack>
  );
}

function Field({ label, text }: { label: string; text: string }): ReactNode {
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
          {text}
        </Box>
      )}
    </div>
  );
}
