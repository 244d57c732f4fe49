import type * as React from 'react';
import type { Data, Plugin, System } from './system.js';

/** The only security scheme of the document. */
const SCHEME = 'bearer';

/**
 * The dialog that asks for a token. Swagger UI's own has no role and no names for screen readers, and Back leaves the page
 * below it.
 */
export const authorization: Plugin = ({ React }) => {
  const { useEffect, useRef, useState } = React;

  function TokenDialog({ authActions, authSelectors, specSelectors }: System): React.ReactNode {
    const element = useRef<HTMLDialogElement>(null);
    const [token, setToken] = useState('');
    const schema = specSelectors.specJson().getIn(['components', 'securitySchemes', SCHEME]) as Data;
    const { description, ...scheme } = schema.toJS() as { description: string };
    const close = (): void => element.current?.close();
    useEffect(() => {
      element.current?.showModal();
      return closeByBack(() => element.current?.close());
    }, []);
    return (
      <dialog
        ref={element}
        className="authorization"
        aria-labelledby="authorization-title"
        onClose={() => authActions.showDefinitions(false)}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            authActions.authorizeWithPersistOption({
              [SCHEME]: { name: SCHEME, schema: scheme, value: token.trim() },
            });
            close();
          }}
        >
          <h2 id="authorization-title">Authorize</h2>
          <p>{description}</p>
          <label>
            Token
            <input
              type="text"
              name="token"
              required
              autoFocus
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
          </label>
          <div className="actions">
            <button type="submit" className="btn execute">
              Use the token
            </button>
            {authSelectors.authorized().has(SCHEME) && (
              <button
                type="button"
                className="btn"
                onClick={() => {
                  authActions.logoutWithPersistOption([SCHEME]);
                  close();
                }}
              >
                Forget the token
              </button>
            )}
            <button type="button" className="btn" onClick={close}>
              Close
            </button>
          </div>
        </form>
      </dialog>
    );
  }

  // Before the listener that opens the form in the address: a window calls its listeners in their order.
  addEventListener('popstate', onMove);
  leaveEntry();
  return { components: { authorizationPopup: TokenDialog } };
};

/** Closes what is open, until the browser has left its entry. */
let closeOpened: (() => void) | undefined;

function isAbovePage(): boolean {
  return (history.state as { isAbovePage?: boolean } | null)?.isAbovePage === true;
}

function leaveEntry(): void {
  if (isAbovePage()) history.back();
}

/**
 * Adds an entry to the history of the browser, which Back leaves, and closes what is open.
 *
 * @returns a function to be called when it was closed
 */
function closeByBack(close: () => void): () => void {
  closeOpened = close;
  history.pushState({ isAbovePage: true }, '');
  return leaveEntry;
}

function onMove(event: PopStateEvent): void {
  // By Forward, or after a reload: there is nothing to open again.
  leaveEntry();
  // The page has the same address and form as before.
  if (closeOpened) event.stopImmediatePropagation();
  closeOpened?.();
  closeOpened = undefined;
}
