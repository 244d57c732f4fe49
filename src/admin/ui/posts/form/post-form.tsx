import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { type Content, type Field, type PostWithEtag } from '../../api/posts.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { Failure } from '../../shell/failure.js';
import { useKey } from '../../shell/keys.js';
import { LeaveGuard } from '../../shell/leave-guard.js';
import { STICKY } from '../../shell/list/selection.js';
import { useIsPhone } from '../../shell/page.js';
import { plural } from '../../texts/texts.js';
import { ConflictDialog } from '../conflict/conflict-dialog.js';
import { BodyField } from './body-field.js';
import { DraftOffer } from './drafts.js';
import { PubDateField } from './pub-date-field.js';
import { TitleField } from './title-field.js';
import { type AfterSave, type PostFormState, usePostForm } from './use-post-form.js';

/** What the input of a field gets. */
export interface FieldProps {
  readonly value: string;
  /** The stored value; empty for a new post. */
  readonly original: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

export interface PostFormProps {
  /** The post as last read or saved; undefined for a new one. */
  readonly post?: PostWithEtag;
  readonly initial: Content;
  /** Called after a save, with the next action. */
  readonly onSaved: (saved: PostWithEtag, then: AfterSave) => void;
}

/** The form of a new or existing post, with the dialogs for conflicts, drafts and unsaved input. */
export function PostForm({ post, initial, onSaved }: PostFormProps): ReactNode {
  const form = usePostForm(post, initial, onSaved);
  const { content, faults, failure, theirs, settle } = form;
  const faulty = Object.keys(faults).length;
  const propsOf = (field: Field): FieldProps => ({
    value: content[field],
    original: post?.[field] ?? '',
    fault: faults[field],
    onChange: (value) => form.change({ [field]: value }),
  });
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.save('list');
      }}
      sx={{
        display: 'grid',
        gap: 2.5,
        gridTemplateColumns: 'minmax(0, 1fr)',
        // The body leaves this height for what the form shows at times.
        '&:has(.MuiAlert-root)': { '--extra': '80px' },
        '&:has(.clock-change)': { '--extra': '100px' },
      }}
    >
      {failure !== undefined && <Failure error={failure} />}
      {faulty > 0 && (
        <Alert severity="error" role="alert">
          {plural(faulty, '1 field has a fault.', `${faulty} fields have faults.`)}
        </Alert>
      )}
      <DraftOffer drafts={form.drafts} onTake={form.takeDraft} />
      <TitleField {...propsOf('title')} isFirst={post === undefined} />
      <PubDateField {...propsOf('pub_date')} />
      <BodyField {...propsOf('body')} />
      <Actions isSaving={form.isSaving} onSave={form.save} />
      <LeaveGuard isDirty={form.isDirty} onLeave={form.drafts.remove} />
      {post && theirs && (
        <ConflictDialog
          base={post}
          mine={content}
          theirs={theirs}
          onResolve={(resolved, isSaved) => settle(resolved, theirs, isSaved)}
          onClose={form.forget}
        />
      )}
      {form.isDeleted && <DeletedDialog form={form} />}
    </Box>
  );
}

const LABELS = {
  continue: ['Save and continue editing', 'and continue'],
  another: ['Save and add another', 'and add another'],
} as const;

interface ActionsProps {
  readonly isSaving: boolean;
  readonly onSave: (then: AfterSave) => void;
}

/** The save buttons, always visible. On a phone they form one row with shorter labels. */
function Actions({ isSaving, onSave }: ActionsProps): ReactNode {
  const isPhone = useIsPhone();
  useKey('Mod+s', 'Save and continue editing', () => !isSaving && onSave('continue'));
  return (
    <Paper
      square
      role="group"
      aria-label="Actions"
      sx={[
        STICKY,
        {
          mt: 0,
          px: { xs: 2, sm: 0 },
          flexWrap: 'nowrap',
          backgroundColor: 'background.default',
          '& button': { whiteSpace: 'nowrap', minWidth: 0 },
          '@media (max-width: 359px)': { gap: 0.5, '& button': { fontSize: '0.75rem', px: 0.5 } },
        },
      ]}
    >
      <Button type="submit" variant="contained" disabled={isSaving}>
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
      {(['continue', 'another'] as const).map((then) => (
        <Button
          key={then}
          variant="outlined"
          disabled={isSaving}
          aria-label={LABELS[then][0]}
          onClick={() => onSave(then)}
          sx={{ px: { xs: 1, sm: 2 } }}
        >
          {LABELS[then][isPhone ? 1 : 0]}
        </Button>
      ))}
    </Paper>
  );
}

/** Shown when the edited post was deleted: restore it with the changes, or create a new post. */
function DeletedDialog({ form: { restore, createAgain, forget } }: { form: PostFormState }): ReactNode {
  return (
    <TitledDialog
      title="This post was deleted meanwhile"
      onClose={forget}
      maxWidth="sm"
      actions={
        <>
          <Button onClick={forget}>Back to my text</Button>
          <Button variant="outlined" onClick={createAgain}>
            Save as a new post
          </Button>
          <Button variant="contained" autoFocus onClick={restore}>
            Restore with my changes
          </Button>
        </>
      }
    >
      <Typography>
        Your text is still here. Restore the post with your changes, under its id, or save your text as a new
        post.
      </Typography>
    </TitledDialog>
  );
}
