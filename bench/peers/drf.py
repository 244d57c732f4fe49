"""Posts by Django REST framework with its limit/offset paging, on the SQLite file that the service has filled."""
import os

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE_FILE"]}},
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=[],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
        "DEFAULT_PERMISSION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "PAGE_SIZE": 20,
        "UNAUTHENTICATED_USER": None,
    },
    ROOT_URLCONF=__name__,
    SECRET_KEY="of no use here",
    USE_TZ=True,
)

from django.core.wsgi import get_wsgi_application  # noqa: E402

application = get_wsgi_application()

from django.db import models  # noqa: E402
from rest_framework import routers, serializers, viewsets  # noqa: E402


class Post(models.Model):
    id = models.IntegerField(primary_key=True)
    title = models.TextField()
    pub_date = models.TextField()
    body = models.TextField()

    class Meta:
        app_label = "posts"
        db_table = "posts"
        managed = False


class PostSerializer(serializers.ModelSerializer):
    class Meta:
        model = Post
        fields = ["id", "title", "pub_date", "body"]


class PostViewSet(viewsets.ReadOnlyModelViewSet):
    queryset = Post.objects.order_by("-pub_date", "-id")
    serializer_class = PostSerializer


router = routers.DefaultRouter()
router.register("posts", PostViewSet)
urlpatterns = router.urls
