import { Alert, Box, Button, Paper, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { type Content, FIELDS, type PostWithEtag } from '../../api/posts.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { Failure } from '../../shell/failure.js';
import { LeaveGuard } from '../../shell/leave-guard.js';
import { STICKY } from '../../shell/list/selection.js';
import { useIsPhone } from '../../shell/page.js';
import { useSaveKey } from '../../shell/use-save-key.js';
import { counted } from '../../texts/texts.js';
import { ConflictDialog } from '../conflict/conflict-dialog.js';
import { DraftOffer } from './drafts.js';
import { FieldInput } from './fields.js';
import { type AfterSave, type PostFormState, usePostForm } from './use-post-form.js';

export interface PostFormProps {
  /** The post as last read or saved; undefined for a new one. */
  readonly post?: PostWithEtag;
  readonly initial: Content;
  readonly onSaved: (saved: PostWithEtag, after: AfterSave) => void;
}

/** The form of a new or existing post, with the dialogs for conflicts, drafts and unsaved input. */
export function PostForm({ post, initial: given, onSaved }: PostFormProps): ReactNode {
  const [initial] = useState(given);
  const form = usePostForm(post, initial, onSaved);
  const { values, faults, failure, theirs, settle } = form;
  const faulty = Object.keys(faults).length;
  return (
    <Box
      component="form"
      {...form.propsFor({ on: post, after: 'list' })}
      sx={{ flex: 1, display: 'flex', flexDirection: 'column', gap: 2.5, minWidth: 0 }}
    >
      {failure !== null && <Failure error={failure} />}
      {faulty > 0 && (
        <Alert severity="error" role="alert">
          {`${counted(faulty, 'field has a fault', 'fields have faults')}.`}
        </Alert>
      )}
      <DraftOffer drafts={form.drafts} onTake={form.takeDraft} />
      {FIELDS.map((field) => (
        <FieldInput
          key={field}
          field={field}
          isFirst={post === undefined && field === FIELDS[0]}
          value={values[field]}
          original={post?.[field] ?? ''}
          fault={faults[field]}
          onChange={(value) => form.change({ [field]: value })}
        />
      ))}
      <Actions isSaving={form.isPending} onSave={form.save} />
      <LeaveGuard isDirty={form.isDirty} onLeave={form.drafts.remove} />
      {post && theirs && (
        <ConflictDialog
          base={post}
          mine={values}
          theirs={theirs}
          onResolve={(resolved, isSaved) => settle(resolved, theirs, isSaved)}
          onClose={form.reset}
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
  readonly onSave: (after: AfterSave) => void;
}

/** The save buttons, always visible. On a phone they form one row with shorter labels. */
function Actions({ isSaving, onSave }: ActionsProps): ReactNode {
  const isPhone = useIsPhone();
  useSaveKey(() => onSave('continue'));
  return (
    <Paper
      square
      role="group"
      aria-label="Actions"
      sx={[
        STICKY,
        {
          mt: 0,
          px: { xs: 2, md: 0 },
          flexWrap: 'nowrap',
          backgroundColor: 'background.default',
          '& button': { whiteSpace: 'nowrap', minWidth: 0 },
        },
      ]}
    >
      {/* Not disabled during a save: it would lose the focus. */}
      <Button type="submit" variant="contained" aria-disabled={isSaving}>
        <span>{isSaving ? 'Saving…' : 'Save'}</span>
      </Button>
      {(['continue', 'another'] as const).map((after) => (
        <Button
          key={after}
          variant="outlined"
          aria-disabled={isSaving}
          aria-label={LABELS[after][0]}
          onClick={() => onSave(after)}
          sx={{ px: { xs: 0.75, md: 2 } }}
        >
          <span>{LABELS[after][isPhone ? 1 : 0]}</span>
        </Button>
      ))}
    </Paper>
  );
}

/** Shown when the edited post was deleted: restore it with the changes, or create a new post. */
function DeletedDialog({ form: { restore, createAgain, reset } }: { form: PostFormState }): ReactNode {
  return (
    <TitledDialog
      title="This post was deleted meanwhile"
      onClose={reset}
      maxWidth="sm"
      actions={
        <>
          <Button onClick={reset}>Back to my text</Button>
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
