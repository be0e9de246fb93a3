"""
The client of the trademark data service.

>>> from tmds_client import TrademarkClient
>>> client = TrademarkClient()  # TMDS_API_KEY and TMDS_BASE_URL
>>> for record in client.search_all(jurisdiction=["US", "EM"], nice_class=9, mark_name_startswith="nov"):
...     print(record.jurisdiction_code, record.uid, record.mark_name, record.status)
"""

from .client import TrademarkClient
from .coverage import Completeness, SearchCoverage
from .errors import (
    TrademarkApiError,
    TrademarkConnectionError,
    TrademarkError,
    TrademarkProtocolError,
    TrademarkTimeoutError,
    WebhookVerificationError,
)
from .export import ExportPage, ExportWalk
from .model import AnswerMeta, Model
from .models import *  # noqa: F403
from .models import __all__ as _models
from .refusals import *  # noqa: F403
from .refusals import __all__ as _refusals
from .version import VERSION
from .walks import FeedWalk, SearchWalk, Walk
from .webhooks import WebhookEvent, verify_webhook

__version__ = VERSION

__all__ = [
    "AnswerMeta",
    "Completeness",
    "ExportPage",
    "ExportWalk",
    "FeedWalk",
    "Model",
    "SearchCoverage",
    "SearchWalk",
    "TrademarkApiError",
    "TrademarkClient",
    "TrademarkConnectionError",
    "TrademarkError",
    "TrademarkProtocolError",
    "TrademarkTimeoutError",
    "Walk",
    "WebhookEvent",
    "WebhookVerificationError",
    "verify_webhook",
]
__all__ += _models
__all__ += _refusals
